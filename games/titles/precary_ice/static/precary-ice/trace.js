/* Traces: how a placement came about, frame by frame (games/kernel/trace.py). */

const PATIENCE = 4_000;

/** Fetch a trace as `{fps, frames}`, each frame a list of [x, y, angle]; null if there is none. */
export async function fetchTrace(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
    return response.ok ? await unpack(await response.json()) : null;
  } catch {
    return null;
  }
}

async function unpack({ fps, bodies, scale, data }) {
  const packed = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const view = new DataView(await new Response(stream).arrayBuffer());
  const number = (n) => view.getInt16(2 * n, true) / scale[n % 3];
  const body = (n) => [number(3 * n), number(3 * n + 1), number(3 * n + 2)];
  const count = view.byteLength / 6 / bodies;
  const frames = Array.from({ length: count }, (_, frame) =>
    Array.from({ length: bodies }, (_, n) => body(frame * bodies + n)),
  );
  return { fps, frames };
}
