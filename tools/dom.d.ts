// Types of pages for the type checker (tools/deno.json); browsers never see this file.

// --- What a selector finds: an input for "form > input[name=x]", some element of HTML for ".x" ---

type Last<Selector extends string> = Selector extends `${string} ${infer Rest}` ? Last<Rest> : Selector;
type NameIn<Selector extends string> = Selector extends `${infer Name}${"[" | "." | "#" | ":"}${string}`
  ? NameIn<Name>
  : Selector;
type Tags = HTMLElementTagNameMap & Omit<SVGElementTagNameMap, keyof HTMLElementTagNameMap>;

/** One that lists several finds any of them; one that is put together, some element of HTML. */
type Found<Selector extends string> = string extends Selector
  ? HTMLElement
  : Selector extends `${infer First}, ${infer Rest}`
    ? Found<First> | Found<Rest>
    : NameIn<Last<Selector>> extends infer Name extends keyof Tags
      ? Tags[Name]
      : HTMLElement;

interface ParentNode {
  querySelector<Selector extends string>(selectors: Selector): Found<Selector> | null;
  querySelectorAll<Selector extends string>(selectors: Selector): NodeListOf<Found<Selector>>;
}

interface Element {
  closest<Selector extends string>(selectors: Selector): Found<Selector> | null;
}

/** A copy is of the same kind. */
interface Node {
  cloneNode(subtree?: boolean): this;
}

// --- Events ---

/** What happens on a page happens to its elements. */
interface MouseEvent {
  readonly target: HTMLElement;
}
interface KeyboardEvent {
  readonly target: HTMLElement;
}
interface FocusEvent {
  readonly target: HTMLElement;
}
interface SubmitEvent {
  readonly target: HTMLFormElement;
}

interface DocumentEventMap {
  /** Something that concerns the reader has changed; how many matches wait, where that is known. */
  "live:me": CustomEvent<{ waiting?: number; unseen?: number; version?: undefined; isReturn?: true } | undefined>;
  "live:lobby": CustomEvent<{ version?: number; isReturn?: true } | undefined>;
  /** The match has another version, or a patch for this page. */
  "live:match": CustomEvent<import("../static/js/net/socket.js").Update>;
  "live:event": CustomEvent<{ version?: number; isReturn?: true } | undefined>;
  "live:chat": CustomEvent;
  /** The page is not live any more, and why. */
  "live:lost": CustomEvent<{ message: HTMLElement | null }>;
  /** Who looks at the match now, by seat. */
  "live:here": CustomEvent<{ seats: number[] }>;
  /** A step is about to be shown; a title may show it in its own way. */
  "match:step": CustomEvent;
  /** All steps have been shown. */
  "match:shown": CustomEvent;
  /** A title asks for steps to be shown once more. */
  "match:again": CustomEvent<{ n: number; board: Element }>;
  "drawer:shown": CustomEvent;
  "regions:swapped": CustomEvent;
}
