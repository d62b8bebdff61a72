import { useRef, useState, type ChangeEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { foldCode } from "@alcove/contract/fields";
import { CODE_DIGITS, LETTER_CODE } from "@alcove/contract/limits";
import { Field, type FieldError } from "../../ui/forms/field.tsx";

const BOXES = Array.from({ length: CODE_DIGITS }, (_, at) => at);

interface CodeFieldProps {
  value: string;
  onChange: (typed: string) => void;
  ownError: FieldError | undefined;
}

/** One input under six boxes, or on one line for a code of capital letters. The last character submits the form. */
export function CodeField({ value, onChange, ownError }: CodeFieldProps) {
  const t = useTranslations("codes");
  const input = useRef<HTMLInputElement>(null);
  const [isLineChosen, setLineChosen] = useState(false);
  const isLine = isLineChosen || startsWithLetter(value);
  const digits = foldCode(value);

  function handleChange({ target }: ChangeEvent<HTMLInputElement>) {
    const typed = target.value;
    const fits = foldCode(typed).length <= CODE_DIGITS;
    if (!fits && !isLineChosen && !startsWithLetter(typed)) return;
    flushSync(() => onChange(typed));
    if (isCompleteCode(typed) && !isCompleteCode(value)) target.form?.requestSubmit();
  }

  // A phone opens another keyboard only for a field that gets the focus.
  function chooseLine() {
    flushSync(() => setLineChosen(true));
    input.current!.focus();
  }

  return (
    <>
      <Field label={t("code")} ownError={ownError}>
        {(control) => (
          <span className={isLine ? "otp otp--line" : "otp"}>
            <input
              {...control}
              ref={input}
              className="input"
              name="code"
              value={value}
              onChange={handleChange}
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
              BOXES.map((at) => (
                <i
                  key={at}
                  aria-hidden="true"
                  className={at === Math.min(digits.length, CODE_DIGITS - 1) ? "now" : undefined}
                >
                  {digits[at]}
                </i>
              ))}
          </span>
        )}
      </Field>
      {!isLine && (
        <button type="button" className="link-btn" onClick={chooseLine}>
          {t("hasLetters")}
        </button>
      )}
    </>
  );
}

const startsWithLetter = (text: string): boolean => /^\p{L}/u.test(foldCode(text));

export function isCompleteCode(typed: string): boolean {
  const { length } = foldCode(typed);
  return length === (startsWithLetter(typed) ? LETTER_CODE.length : CODE_DIGITS);
}
