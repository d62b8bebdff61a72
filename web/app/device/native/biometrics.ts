import { AndroidBiometryStrength, BiometricAuth } from "@aparajita/capacitor-biometric-auth";

interface Words {
  readonly reason: string;
  readonly cancel: string;
}

export const biometrics = {
  async isAvailable(): Promise<boolean> {
    return (await BiometricAuth.checkBiometry()).strongBiometryIsAvailable;
  },

  /** Returns false if the member cancels, or the device does not recognize them. Others may know the code of the device. */
  async confirm({ reason, cancel }: Words): Promise<boolean> {
    try {
      await BiometricAuth.authenticate({
        reason,
        androidTitle: reason,
        cancelTitle: cancel,
        allowDeviceCredential: false,
        androidBiometryStrength: AndroidBiometryStrength.strong,
      });
      return true;
    } catch {
      return false;
    }
  },
};
