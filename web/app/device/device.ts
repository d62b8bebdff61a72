/** A place, in degrees. */
export interface Place {
  longitude: number;
  latitude: number;
}

/** Whether this device is told of something new, and if not, what stands in the way. */
export type PushState = "on" | "off" | "denied" | "unsupported" | "needs_home_screen";

/** Where a push service reaches this device, and the keys with which only it can read what it is told. */
interface PushSubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Notifications of a device. */
export interface PushDevice {
  state(): Promise<PushState>;
  /** Asks for permission and subscribes, with the server's key; null when that is refused. */
  subscribe(key: string): Promise<PushSubscriptionKeys | null>;
  /** Ends the subscription, and answers its endpoint; null when there was none. */
  unsubscribe(): Promise<string | null>;
}

/** What the app needs of the device it runs on. The browser has one implementation, the native wrapper another. */
export interface Device {
  /** Whether this is the native wrapper. */
  isNative(): boolean;
  /** The device's language tag, such as `ja-JP`. */
  language(): string;
  /** Whether the position may be read without asking. */
  mayReadPosition(): Promise<boolean>;
  /** Where the device is, after asking for permission; null when that fails or is refused. */
  position(): Promise<Place | null>;
  /** Telling of something new while the app is not open. */
  readonly push: PushDevice;
}
