import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { Check, FieldFault, useFault, type FieldError } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";

interface PictureFieldProps {
  /** Shown until another one is chosen. */
  current: string;
  icon: File | null;
  /** Called with the chosen file, to be cropped. */
  onChoose: (file: File) => void;
  isProcessed?: boolean;
  hint: string;
  error?: FieldError | undefined;
  children?: ReactNode;
}

/** The profile's picture: chosen, cropped, and processed unless the member says otherwise. */
export function PictureField({
  current,
  icon,
  onChoose,
  isProcessed = true,
  hint,
  error,
  children,
}: PictureFieldProps) {
  const t = useTranslations("profileForm");
  const input = useRef<HTMLInputElement>(null);
  const fault = useFault(error);
  const preview = usePreview(icon);
  return (
    <section className="stack">
      <h2>{t("picture")}</h2>
      {fault && <FieldFault id="icon-fault">{fault}</FieldFault>}
      <div className="row picture-row">
        <span className="portrait picture-row__portrait">
          <img src={preview ?? current} alt={t("yourPicture")} width="600" height="600" />
        </span>
        <div className="stack-sm">
          <Button
            kind="quiet"
            small
            aria-describedby={fault ? "icon-fault" : undefined}
            onClick={() => input.current?.click()}
          >
            <Icon name="image" small />
            {icon ? t("changePicture") : t("choosePicture")}
          </Button>
          <p className="hint">{hint}</p>
        </div>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t("choosePicture")}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = ""; // the same file may be chosen again
            if (file) onChoose(file);
          }}
        />
      </div>
      <Check name="icon_process" value="yes" defaultChecked={isProcessed} hint={t("processHint")}>
        {t("process")}
      </Check>
      {children}
    </section>
  );
}

/** An address under which the page can show a file, for as long as it is shown. */
export function usePreview(file: File | null): string | null {
  const address = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(() => {
    if (!address) return undefined;
    return () => URL.revokeObjectURL(address);
  }, [address]);
  return address;
}
