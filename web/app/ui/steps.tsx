interface StepsProps {
  label: string;
  labels: readonly string[];
  /** The index of the current step. */
  current: number;
}

export function Steps({ label, labels, current }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {labels.map((label, position) => (
        <li
          key={label}
          className={position < current ? "done" : undefined}
          aria-current={position === current ? "step" : undefined}
        >
          {position + 1}. {label}
        </li>
      ))}
    </ol>
  );
}
