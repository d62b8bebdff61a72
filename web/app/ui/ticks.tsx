import { Icon } from "./icon.tsx";
import styles from "./ticks.module.css";

/** Facts with a tick at the first line of each. */
export function Ticks({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={styles.ticks}>
      {lines.map((line) => (
        <li key={line}>
          <Icon name="check" />
          <span>{line}</span>
        </li>
      ))}
    </ul>
  );
}
