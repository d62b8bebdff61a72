import { Button } from "./button.tsx";
import dialogStyles from "./dialog.module.css";

interface SheetButtonsProps {
  confirm: string;
  cancel: string;
  isBusy: boolean;
  /** For an action that cannot be undone. */
  isDanger?: boolean;
  /** Absent within a form, which the first button submits. */
  onConfirm?: () => void;
  onCancel: () => void;
}

/** The end of a sheet that asks before an action: a button that starts it, and one that closes the sheet. */
export function SheetButtons({
  confirm,
  cancel,
  isBusy,
  isDanger = false,
  onConfirm,
  onCancel,
}: SheetButtonsProps) {
  return (
    <div className={dialogStyles.actions}>
      <Button
        type={onConfirm ? "button" : "submit"}
        kind={isDanger ? "danger" : "primary"}
        busy={isBusy}
        onClick={onConfirm}
      >
        {confirm}
      </Button>
      <Button kind={isDanger ? "quiet" : "ghost"} onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  );
}
