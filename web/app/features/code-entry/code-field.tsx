import { useRef, useState, type ChangeEvent, type CompositionEvent, type RefObject } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { foldCode } from "@alcove/contract/fields";
import { CODE_DIGITS, LETTER_CODE } from "@alcove/contract/limits";
import { Field, type FieldError } from "../../ui/forms/field.tsx";
import fieldStyles from "../../ui/forms/field.module.css";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import styles from "./code-entry.module.css";

const PLACES = Array.from({ length: CODE_DIGITS }, (_, at) => at);

interface CodeLine {
  /** True for one line, false for two groups of digits. */
  readonly isLine: boolean;
  readonly isChosen: boolean;
  readonly input: RefObject<HTMLInputElement | null>;
  choose(): void;
}

/** A code of capitals has one line, by its first character or by a button. */
export function useCodeLine(value: string): CodeLine {
  const input = useRef<HTMLInputElement>(null);
  const [isChosen, setChosen] = useState(false);
  return {
    isLine: isChosen || startsWithLetter(value),
    isChosen,
    input,
    // A phone opens another keyboard only for a field that gets the focus.
    choose() {
      flushSync(() => setChosen(true));
      input.current!.focus();
    },
  };
}

interface CodeFieldProps {
  line: CodeLine;
  value: string;
  onChange: (typed: string) => void;
  /** Instead of a submit, where the form has more fields. */
  onComplete?: (form: HTMLFormElement | null) => void;
  ownError: FieldError | undefined;
}

const submit = (form: HTMLFormElement | null): void => form?.requestSubmit();

/** One input, drawn as two groups of digits or as a line of capital letters. The last character submits the form. */
export function CodeField({
  line: { isLine, isChosen, input },
  value,
  onChange,
  onComplete = submit,
  ownError,
}: CodeFieldProps) {
  const t = useTranslations("codes");
  const digits = foldCode(value);

  function handleChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const typed = target.value;
    // Another value would end the composition, and its characters may still change.
    if ((nativeEvent as InputEvent).isComposing) return onChange(typed);
    if (!isChosen && isTooLong(typed)) return;
    take(target, typed, isCompleteCode(value));
  }

  function take(target: HTMLInputElement, typed: string, wasComplete: boolean) {
    flushSync(() => onChange(typed));
    if (isCompleteCode(typed) && !wasComplete) onComplete(target.form);
  }

  function handleCompositionEnd({ currentTarget }: CompositionEvent<HTMLInputElement>) {
    const typed = currentTarget.value;
    take(currentTarget, !isChosen && isTooLong(typed) ? foldCode(typed).slice(0, CODE_DIGITS) : typed, false);
  }

  return (
    <Field label={t("code")} ownError={ownError}>
      {(control) => (
        <span
          className={
            isLine ? styles.line : classNames(styles.digits, control["aria-invalid"] && styles.wrong)
          }
        >
          <input
            {...control}
            ref={input}
            className={fieldStyles.input}
            name="code"
            value={value}
            onChange={handleChange}
            onCompositionEnd={handleCompositionEnd}
            inputMode={isLine ? "text" : "numeric"}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={2 * LETTER_CODE.length}
            autoFocus
            required
          />
          {!isLine &&
            PLACES.map((at) => (
              <i
                key={at}
                aria-hidden="true"
                className={at === Math.min(digits.length, CODE_DIGITS - 1) ? styles.now : undefined}
              >
                {digits[at]}
              </i>
            ))}
        </span>
      )}
    </Field>
  );
}

export function LetterCodeButton({ line: { isLine, choose } }: { line: CodeLine }) {
  const t = useTranslations("codes");
  if (isLine) return null;
  return (
    <button type="button" className={buttonStyles.linkButton} onClick={choose}>
      {t("hasLetters")}
    </button>
  );
}

const startsWithLetter = (text: string): boolean => /^\p{L}/u.test(foldCode(text));

const isTooLong = (typed: string): boolean =>
  !startsWithLetter(typed) && foldCode(typed).length > CODE_DIGITS;

export function isCompleteCode(typed: string): boolean {
  const { length } = foldCode(typed);
  return length === (startsWithLetter(typed) ? LETTER_CODE.length : CODE_DIGITS);
}
