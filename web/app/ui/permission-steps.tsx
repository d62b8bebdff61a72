import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Segmented } from "./forms/segmented.tsx";
import stateStyles from "./state.module.css";

interface PermissionStepsProps<Kind extends string> {
  legend: string;
  /** Kinds of devices, with their names. */
  kinds: readonly (readonly [Kind, string])[];
  kind: Kind;
  onChoose: (kind: Kind) => void;
  /** Opens the system's settings, where the app can. */
  settings: { label: string; open: () => void } | null;
  /** The items of a list. */
  children: ReactNode;
}

/** How to allow something again on a device after its browser has stopped asking. */
export function PermissionSteps<Kind extends string>({
  legend,
  kinds,
  kind,
  onChoose,
  settings,
  children,
}: PermissionStepsProps<Kind>) {
  return (
    <>
      <Segmented
        legend={legend}
        name="device"
        value={kind}
        choices={kinds}
        onChange={(chosen) => onChoose(chosen as Kind)}
      />
      {settings && (
        <Button block kind="quiet" onClick={settings.open}>
          {settings.label}
        </Button>
      )}
      <ol className={stateStyles.numbered}>{children}</ol>
    </>
  );
}
