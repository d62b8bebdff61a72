import type { ComponentType } from "react";
import type { PushState } from "../device/device.ts";

/** Parts of the native app (`wrapper/native-features.tsx`). These are in each page. */
export const NativeFeatures: ComponentType | null = null;

interface UnlockProps {
  /** The member cancelled, or was not recognized. */
  onNotUnlocked: () => void;
}

/** In the lock screen. */
export const BiometricUnlock: ComponentType<UnlockProps> | null = null;

interface PushNoteProps {
  state: PushState;
}

/** In the settings of notifications, in the words of the app. */
export const PushNote: ComponentType<PushNoteProps> | null = null;

/** In the purchase screen, instead of the plans. */
export const NativePurchase: ComponentType | null = null;

interface SettingProps {
  onSaved: () => void;
}

export const BiometricSwitch: ComponentType<SettingProps> | null = null;

export const VibrationSwitch: ComponentType<SettingProps> | null = null;
