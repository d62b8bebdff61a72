/** In degrees. */
export interface Position {
  longitude: number;
  latitude: number;
}

export type PushState = "on" | "off" | "denied" | "unsupported" | "needs_home_screen";

interface PushSubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushDevice {
  state(): Promise<PushState>;
  /** Asks for permission and subscribes with the server's key. Returns null if permission is denied. */
  subscribe(key: string): Promise<PushSubscriptionKeys | null>;
  unsubscribe(): Promise<string | null>;
}

/** The device's functions. The browser and the native wrapper implement them. */
export interface Device {
  isNative(): boolean;
  /** A language tag such as `ja-JP`. */
  language(): string;
  mayReadPosition(): Promise<boolean>;
  /** Asks for permission if needed. Returns null if it is denied or the position is unknown. */
  position(): Promise<Position | null>;
  readonly push: PushDevice;
}
