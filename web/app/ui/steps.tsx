interface StepsProps {
  label: string;
  /** What each step is called. */
  words: readonly string[];
  /** Which one it is, from 0. */
  current: number;
}

/** Where somebody is on the way through a form of several steps. */
export function Steps({ label, words, current }: StepsProps) {
  return (
    <ol className="steps" aria-label={label}>
      {words.map((word, position) => (
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
