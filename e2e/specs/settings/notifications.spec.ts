import { getNotifications } from "@alcove/contract/notifications";
import { fakePushManager } from "../../actions/fake-push-manager.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { fullBrowser } from "@alcove/test-services/browsers";
import { expect, test, type Visitor } from "../../fixtures/test.ts";

/** Delivers a push message to the page's service worker. */
async function deliver({ page, context }: Visitor, text: string): Promise<void> {
  const tools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await tools.send("ServiceWorker.enable");
  await tools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: text,
  });
}

test("turns on push with quiet hours, shows a neutral notification, and opens the messages", async ({
  visit,
  member,
  playwright,
}) => {
  const hanako = await member("push-hanako");
  // The headless shell shows no notifications.
  const browser = await playwright.chromium.launch(fullBrowser);
  const visitor = await visit({ device: "phone", hasWorker: true, browser });
  const { page, context, t } = visitor;
  await page.addInitScript(fakePushManager);
  await context.grantPermissions(["notifications"]);
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: t.settings.notifications }).click();

  await page.getByRole("button", { name: t.notifications.turnOn }).click();
  await expect(page.getByText(t.notifications.deviceOn)).toBeVisible();
  await page.getByRole("switch", { name: t.notifications.quietHours }).check();
  await page.getByLabel(t.notifications.quietFrom).fill("23:15");
  await page.getByLabel(t.notifications.quietTo).fill("23:15");
  await expect(page.getByLabel(t.notifications.quietTo)).toHaveAccessibleDescription(
    new RegExp(t.fields.times_equal),
  );
  await page.getByLabel(t.notifications.quietTo).fill("06:45");
  await page.getByRole("switch", { name: t.notifications.digest }).check();
  await expect(page.getByText(t.settings.saved)).toBeVisible();
  await expect
    .poll(() => hanako.call(getNotifications, {}))
    .toMatchObject({
      push: true,
      quiet_hours: true,
      quiet_from: "23:15",
      quiet_to: "06:45",
      time_zone: "Asia/Tokyo",
      digest: true,
    });

  const message = JSON.stringify({ title: "Alcove", body: t.notifications.somethingNew, lang: "en" });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  await deliver(visitor, message); // while the app is visible
  // Hides the page from the worker, because pages under test are always visible.
  const worker = context.serviceWorkers()[0]!;
  expect(await shown()).toEqual([]);
  await worker.evaluate(() => {
    const { clients } = globalThis as unknown as { clients: { matchAll: unknown } };
    clients.matchAll = async () => [];
  });
  await deliver(visitor, message);
  await deliver(visitor, message);
  await expect.poll(shown).toEqual([{ title: "Alcove", body: "You have something new.", tag: "new" }]);

  await page.getByRole("button", { name: t.notifications.turnOff }).click();
  await expect(page.getByText(t.notifications.deviceOff)).toBeVisible();

  await page.reload(); // the worker controls the page from here on
  await expect(page.getByText(t.notifications.deviceOff)).toBeVisible();
  await context.serviceWorkers()[0]!.evaluate(async () => {
    interface Inside {
      clients: { matchAll?: unknown };
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
      dispatchEvent(event: Event): boolean;
    }
    const { clients, registration, NotificationEvent, dispatchEvent } = globalThis as unknown as Inside;
    delete clients.matchAll;
    const [notification] = await registration.getNotifications();
    dispatchEvent(new NotificationEvent("notificationclick", { notification: notification! }));
  });
  await expect(page).toHaveURL(/\/en\/dm$/);
  await expect.poll(shown).toEqual([]);
  await browser.close();
});

test("explains how to allow notifications when they are blocked", async ({ visit, member }) => {
  const hanako = await member("blocked-hanako");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "denied" });
  });

  await openAsMember(visitor, hanako, "/setting/notifications");

  await expect(page.getByText(t.notifications.denied)).toBeVisible();
  await expect(page.getByRole("button", { name: t.notifications.turnOn })).toHaveCount(0);
});

test("unsubscribes only when the button is pressed, and shows that a link is incomplete", async ({
  visit,
}) => {
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  visitor.allowError(/status of 404/);
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));

  await visitor.open("/unsubscribe?token=cut-sho");
  await expect(page.getByRole("heading", { name: t.notifications.endTitle })).toBeVisible();
  await expect(page).toHaveTitle("Alcove");
  expect(posts).toEqual([]);

  await page.getByRole("button", { name: t.notifications.end }).click();
  await expect(page.getByRole("status").getByText(t.notifications.endBroken)).toBeVisible();
  await expect(page.getByRole("heading", { name: t.notifications.emailsTitle })).toBeFocused();
});
