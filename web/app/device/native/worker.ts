/** The native app has its files on the device, so it needs no worker to start without a connection. */
export function keepApp(): void {}

export async function forgetApp(): Promise<void> {}
