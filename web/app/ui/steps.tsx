interface StepsProps {
  label: string;
  /** What each step is called. */
  labels: readonly string[];
  /** Which one it is, from 0. */
  current: number;
}

/** Where somebody is on the way through a form of several steps. */
export function Steps({ label, labels, current }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {labels.map((word, position) => (
        <li
          key={word}
          className={position < current ? "done" : undefined}
          aria-current={position === current ? "step" : undefined}
        >
          {position + 1}. {word}
        </li>
      ))}
    </ol>
  );
}
