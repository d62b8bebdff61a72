/** For a page: replaces the push service, which browsers under test lack. */
export function fakePushManager(): void {
  let endpoint: string | null = null;
  const fake = () => ({
    endpoint,
    toJSON: () => ({
      endpoint,
      keys: {
        p256dh: "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
        auth: "AAAAAAAAAAAAAAAAAAAAAA",
      },
    }),
    unsubscribe: async () => {
      endpoint = null;
      return true;
    },
  });
  Object.assign(PushManager.prototype, {
    subscribe: async () => {
      endpoint = "https://push.example.com/send/a-phone";
      return fake();
    },
    getSubscription: async () => (endpoint === null ? null : fake()),
  });
}

/** For a page of the headless shell, which denies notifications: the member is asked, and agrees. */
export function fakePermission(): void {
  let permission: NotificationPermission = "default";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => (permission = "granted");
}
