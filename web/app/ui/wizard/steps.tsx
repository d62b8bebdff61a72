import styles from "./steps.module.css";
interface StepsProps {
  label: string;
  labels: readonly string[];
  /** The index of the current step. */
  current: number;
  /** The pages of the current step. */
  pages?: { current: number; total: number } | undefined;
}

export function Steps({ label, labels, current, pages }: StepsProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {labels.map((label, position) => (
        <li
          key={label}
          className={
            position < current ? styles.done : pages && position === current ? styles.ticked : undefined
          }
          aria-current={position === current ? "step" : undefined}
        >
          {pages && position === current && (
            <span className={styles.ticks} aria-hidden="true">
              {Array.from({ length: pages.total }, (_, page) => (
                <i
                  key={page}
                  className={
                    page === pages.current ? styles.now : page < pages.current ? styles.on : undefined
                  }
                />
              ))}
            </span>
          )}
          {position + 1}. {label}
        </li>
      ))}
    </ol>
  );
}
