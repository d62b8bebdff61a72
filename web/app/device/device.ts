/** In degrees. */
export interface Position {
  longitude: number;
  latitude: number;
}

/** `ask` also where the browser returns no state. */
export type Permission = "granted" | "denied" | "ask";
export const deviceKinds = ["iphone", "android", "computer"] as const;
export type DeviceKind = (typeof deviceKinds)[number];

export type PushState = "on" | "off" | "denied" | "unsupported" | "needs_home_screen";

interface WebPushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface NativePushAddress {
  service: "fcm" | "apns";
  token: string;
}

type PushAddress = WebPushAddress | NativePushAddress;

export interface PushDevice {
  /** The push service of the native app; null in a browser. */
  service(): NativePushAddress["service"] | null;
  state(): Promise<PushState>;
  /** Returns null if the member denies the permission. */
  subscribe(key: string): Promise<PushAddress | null>;
  unsubscribe(): Promise<Pick<WebPushAddress, "endpoint"> | NativePushAddress | null>;
}

/** Implemented by the browser and by the native wrapper. */
export interface Device {
  isNative(): boolean;
  /** Of the native app; null in a browser, which always loads the server's build. */
  readonly version: string | null;
  /** A language tag such as `ja-JP`. */
  language(): string;
  kind(): DeviceKind;
  positionPermission(): Promise<Permission>;
  microphonePermission(): Promise<Permission>;
  /** Returns null if permission is denied or the position is unknown. */
  position(): Promise<Position | null>;
  readonly push: PushDevice;
  copy(text: string): Promise<void>;
  /** Opens a page of another site; the native app in the system's browser. */
  openPage(url: string): void;
  /** Opens the system's share sheet with a picture; null where it takes none. */
  sharePicture(picture: File): (() => Promise<void>) | null;
  /** Opens the system's share sheet; null in a browser. */
  readonly share: ((url: string) => void) | null;
  /** Opens the permissions of the app; null in a browser, which offers no such link. */
  readonly openAppSettings: (() => void) | null;
}
