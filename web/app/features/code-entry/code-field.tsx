import { useRef, useState, type ChangeEvent } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { foldCode } from "@alcove/contract/fields";
import { CODE_DIGITS, LETTER_CODE } from "@alcove/contract/limits";
import { Field } from "../../ui/forms/field.tsx";

const BOXES = Array.from({ length: CODE_DIGITS }, (_, at) => at);

/** One input under six boxes, or on one line for a code of capital letters. */
export function CodeField({ errorText }: { errorText: string | undefined }) {
  const t = useTranslations("codes");
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [isLineChosen, setLineChosen] = useState(false);
  const isLine = isLineChosen || startsWithLetter(text);
  const digits = foldCode(text);

  function handleChange({ target }: ChangeEvent<HTMLInputElement>) {
    const fits = foldCode(target.value).length <= CODE_DIGITS;
    if (fits || isLineChosen || startsWithLetter(target.value)) setText(target.value);
  }

  // A phone opens another keyboard only for a field that gets the focus.
  function chooseLine() {
    flushSync(() => setLineChosen(true));
    input.current!.focus();
  }

  return (
    <>
      <Field label={t("code")} errorText={errorText}>
        {(control) => (
          <span className={isLine ? "otp otp--line" : "otp"}>
            <input
              {...control}
              ref={input}
              className="input"
              name="code"
              value={text}
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
