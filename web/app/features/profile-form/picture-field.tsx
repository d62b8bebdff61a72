import { useId, useRef, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { IconPreview } from "@alcove/contract/users";
import { useObjectUrl } from "../../lib/use-object-url.ts";
import { Button } from "../../ui/button.tsx";
import { Check, FieldErrorText, useErrorText, type FieldError } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/loading.tsx";
import { useIconPreview, type PreviewState } from "./icon-preview.ts";

interface PictureFieldProps {
  /** The URL of the stored or default picture. */
  current: string;
  icon: File | null;
  /** Called with the chosen file before it is cropped. */
  onChoose: (file: File) => void;
  onPreview: (icon: File) => Promise<IconPreview>;
  isProcessed?: boolean;
  /** Whether a stored picture would be replaced. */
  isChange?: boolean;
  hint: string;
  error?: FieldError | undefined;
  children?: ReactNode;
}

export function PictureField({
  current,
  icon,
  onChoose,
  onPreview,
  isProcessed = true,
  isChange = false,
  hint,
  error,
  children,
}: PictureFieldProps) {
  const t = useTranslations("profileForm");
  const input = useRef<HTMLInputElement>(null);
  const errorMessage = useErrorText(error);
  const original = useObjectUrl(icon);
  const [isTicked, setTicked] = useState(isProcessed);
  const preview = useIconPreview(isTicked ? icon : null, onPreview);
  const [showsOriginal, setShowsOriginal] = useState(false);
  const processed = preview.kind === "shown" && !showsOriginal ? preview.icon : null;
  return (
    <section className="stack">
      <h2>{t("picture")}</h2>
      {errorMessage && <FieldErrorText id="icon-fault">{errorMessage}</FieldErrorText>}
      <div className="row picture-row">
        <span className="portrait picture-row__portrait" aria-busy={preview.kind === "loading" || undefined}>
          <img src={processed ?? original ?? current} alt={t("yourPicture")} width="600" height="600" />
        </span>
        <div className="stack-sm">
          <Button
            kind="quiet"
            small
            aria-describedby={errorMessage ? "icon-fault" : undefined}
            onClick={() => input.current?.click()}
          >
            <Icon name="image" small />
            {icon || isChange ? t("changePicture") : t("choosePicture")}
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
      {isChange && isProcessed && !icon ? (
        <p className="hint">
          <Icon name="glass" small /> {t("processedAlready")}
        </p>
      ) : (
        <Check
          name="icon_process"
          value="yes"
          checked={isTicked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
          hint={t("processHint")}
        >
          {t("process")}
        </Check>
      )}
      <PreviewStatus
        preview={preview}
        showsOriginal={showsOriginal}
        onCompare={() => setShowsOriginal((before) => !before)}
      />
      {children}
    </section>
  );
}

interface PreviewStatusProps {
  preview: PreviewState;
  showsOriginal: boolean;
  /** The original is on this device: no request is needed. */
  onCompare: () => void;
}

function PreviewStatus({ preview, showsOriginal, onCompare }: PreviewStatusProps) {
  const t = useTranslations("profileForm");
  const id = useId();
  return (
    <>
      <div role="status" id={id} className="row">
        {preview.kind === "loading" && (
          <>
            <Spinner />
            <span className="hint">{t("previewLoading")}</span>
          </>
        )}
        {preview.kind === "shown" && (
          <>
            {!showsOriginal && <span className="badge">{t("processed")}</span>}
            <span className="hint">
              {t(showsOriginal ? "originalShown" : preview.faces > 0 ? "facesSoftened" : "allSoftened")}
            </span>
          </>
        )}
        {preview.kind === "failed" && <span className="hint">{t("previewFailed")}</span>}
      </div>
      {preview.kind === "shown" && (
        <Button kind="ghost" small aria-pressed={showsOriginal} onClick={onCompare}>
          {t("compare")}
        </Button>
      )}
      {preview.kind === "failed" && (
        <Button kind="ghost" small aria-describedby={id} onClick={preview.retry}>
          {t("previewAgain")}
        </Button>
      )}
    </>
  );
}
