import styles from "./logo.module.css";
export function Logo() {
  return (
    <svg viewBox="8 9 48 48" aria-hidden="true">
      <path className={styles.back} d="M27 56V24a14 14 0 0 1 28 0v32Z" />
      <path className={styles.front} d="M9 56V24a14 14 0 0 1 28 0v32Z" />
      <path className={styles.light} d="M27 56V24A14 14 0 0 1 32 13.28A14 14 0 0 1 37 24V56Z" />
    </svg>
  );
}
