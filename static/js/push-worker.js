/* Shows what is pushed to this browser, and opens its page when it is chosen. A later notification
   with the same tag takes the place of the one before. It runs without a page.
   It stays in this folder: the folder of a worker is its scope, and browsers know it by its scope. */

// @ts-nocheck: a worker knows other things than a page does.

const ICON = "/static/icons/icon-192.png";

/** What was pushed; the name of the site where it cannot be read, as browsers want to see something. */
function shownBy(event) {
  try {
    return event.data.json();
  } catch {
    return { title: "Turnstone", url: "/account/notices/", tag: "other" };
  }
}

self.addEventListener("push", (event) => {
  const { title, url, tag } = shownBy(event);
  const options = { body: "Turnstone", tag, renotify: true, icon: ICON, data: { url } };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Bring the page forward where it is open already; open it elsewhere otherwise. */
async function show(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => page.url === address);
  await (open ? open.focus() : self.clients.openWindow(address));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.url, self.location.origin);
  if (address.origin === self.location.origin) {
    event.waitUntil(show(address.href));
  }
});
