/** A place, in degrees. */
export interface Place {
  longitude: number;
  latitude: number;
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
}
