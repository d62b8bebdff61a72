import { useId, type ComponentProps, type ReactNode } from "react";
import { Button } from "../button.tsx";
import { Form } from "../forms/form.tsx";
import { Icon } from "../icon.tsx";
import { classNames } from "../class-names.ts";
import styles from "./wizard.module.css";

interface WizardProps extends Omit<ComponentProps<typeof Form>, "children" | "title" | "action"> {
  steps: ReactNode;
  /** Such as "Page 1 of 4". */
  count?: string;
  title: ReactNode;
  lead?: ReactNode;
  /** A link or button to the step before. */
  back: ReactNode;
  action: string;
  isBusy: boolean;
  /** Why the action waits, beside it; null when it does not. */
  waitsFor?: string | null;
  /** The note that the input is kept on this device. */
  saved?: string | null;
  /** Links below the fields. */
  more?: ReactNode;
  children: ReactNode;
}

/** One page of a task in steps: heading, fields, and a bar with the way back and on. */
export function Wizard({
  steps,
  count,
  title,
  lead,
  back,
  action,
  isBusy,
  waitsFor = null,
  saved = null,
  more,
  children,
  className,
  ...form
}: WizardProps) {
  const id = useId();
  return (
    <Form {...form} className={classNames(styles.wizard, className)}>
      <div className={classNames(styles.page, "above-bar")}>
        {steps}
        <div className={styles.columns}>
          <div className={styles.intro}>
            {count && <span className={styles.count}>{count}</span>}
            <h1>{title}</h1>
            {lead && <p className="muted">{lead}</p>}
          </div>
          <div className="stack">
            {children}
            {more}
          </div>
        </div>
      </div>
      <div className={styles.bar} data-bottom-bar>
        {back}
        <Button
          type="submit"
          block
          busy={isBusy}
          aria-disabled={waitsFor !== null || isBusy || undefined}
          aria-describedby={waitsFor ? id : undefined}
        >
          {action}
        </Button>
        {waitsFor ? (
          <p className={classNames("hint", styles.barHint, styles.reason)} id={id}>
            {waitsFor}
          </p>
        ) : (
          saved && (
            <p className={classNames("hint", styles.barHint)}>
              <Icon name="check" />
              {saved}
            </p>
          )
        )}
      </div>
    </Form>
  );
}
