import { classNames } from "../app/ui/class-names.ts";
import { en } from "./texts/en.ts";
import { useTexts } from "./texts/use-texts.ts";
import styles from "./console.module.css";

/** A logged command in words, then its details as they were sent. An unknown command stays as it is. */
export function CommandText({ command }: { command: string }) {
  const t = useTexts();
  const { text, details } = splitCommand(command);
  if (!text) return <span className={styles.mono}>{command}</span>;
  if (details === "") return t(text);
  const isDecision = command.startsWith("approvals ");
  return (
    <>
      {t(text)}
      {isDecision ? t("colon") : " "}
      {isDecision ? (
        <CommandText command={details} />
      ) : (
        <span className={classNames(styles.mono, "muted")}>{details}</span>
      )}
    </>
  );
}

/** Finds the text of the longest known beginning, as `cases appeal uphold` in `cases appeal uphold 1234`. */
function splitCommand(command: string): { text?: keyof typeof en; details: string } {
  const words = command.split(/[ =]/);
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const beginning = words.slice(0, count).join(" ");
    const text = `did_${beginning.replaceAll(/[ -]/g, "_")}`;
    if (text in en)
      return { text: text as keyof typeof en, details: command.slice(beginning.length).replace(/^[ =]/, "") };
  }
  return { details: command };
}
