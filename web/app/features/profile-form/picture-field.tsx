import { useRef, useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { IconPreview } from "@alcove/contract/users";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { useObjectUrl } from "../../lib/forms/use-object-url.ts";
import { Button } from "../../ui/button.tsx";
import { FieldErrorText, useErrorText } from "../../ui/forms/field.tsx";
import { PictureInput } from "../../ui/forms/picture-input.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CARD_SIZES, Picture } from "../../ui/picture.tsx";
import { useIconPreview, type PreviewState } from "./icon-preview.ts";
import { classNames } from "../../ui/class-names.ts";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./picture-field.module.css";

interface PictureFieldProps {
  /** The URL of the stored or default picture. */
  current: string;
  icon: File | null;
  /** Called with the chosen file before it is cropped. */
  onChoose: (file: File) => void;
  /** Called when the member stops the processing of the chosen picture. */
  onCancel: () => void;
  onPreview: (icon: File, signal: AbortSignal) => Promise<IconPreview>;
  isProcessed?: boolean;
  /** Whether a stored picture would be replaced. */
  isChange?: boolean;
  hint?: string;
  errors: ShownErrors;
  children?: ReactNode;
}

export function PictureField({
  current,
  icon,
  onChoose,
  onCancel,
  onPreview,
  isProcessed = true,
  isChange = false,
  hint,
  errors,
  children,
}: PictureFieldProps) {
  const t = useTranslations("profileForm");
  const input = useRef<HTMLInputElement>(null);
  const error = useErrorText(errors.error);
  const ownError = useErrorText(errors.ownError);
  const original = useObjectUrl(icon);
  const hasError = error !== undefined || ownError !== undefined;
  const shownHint = !icon && !ownError && hint;
  const descriptions = [hasError && "icon-fault", shownHint && "icon-hint", !icon && "icon-elsewhere"];
  const [isTicked, setTicked] = useState(isProcessed);
  const preview = useIconPreview(isTicked ? icon : null, onPreview);
  const isLoading = preview.kind === "loading";
  const [shown, setShown] = useState("processed");
  const processed = preview.kind === "shown" && shown === "processed" ? preview.icon : null;
  return (
    <section className={classNames("stack", styles.picture)}>
      {error && <FieldErrorText id="icon-fault">{error}</FieldErrorText>}
      <ShownPicture
        src={processed ?? original ?? current}
        isBusy={isLoading}
        isEmpty={icon === null && !isChange}
      />
      <PreviewStatus preview={preview} shown={shown} onShow={setShown} />
      <div className={styles.choose}>
        <Button
          kind={icon ? "ghost" : "quiet"}
          small={icon !== null}
          aria-invalid={hasError || undefined}
          aria-describedby={descriptions.filter(Boolean).join(" ") || undefined}
          onClick={() => (isLoading ? onCancel() : input.current?.click())}
        >
          {!isLoading && <Icon name="image" small />}
          {t(isLoading ? "cancelPicture" : icon || isChange ? "changePicture" : "choosePicture")}
        </Button>
        {shownHint && (
          <span className="hint" id="icon-hint">
            {shownHint}
          </span>
        )}
        {ownError && <FieldErrorText id="icon-fault">{ownError}</FieldErrorText>}
        {!icon && (
          <p className="hint" id="icon-elsewhere">
            {t("pictureElsewhere")}
          </p>
        )}
      </div>
      <PictureInput ref={input} label={t("choosePicture")} field="icon" onChoose={onChoose} />
      {isChange && isProcessed && !icon ? (
        <ProcessedAlready />
      ) : (
        <Switch
          name="icon_process"
          value="yes"
          checked={isTicked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
          hint={t("processHint")}
        >
          {t("process")}
        </Switch>
      )}
      {isTicked && children}
    </section>
  );
}

function ShownPicture({ src, isBusy, isEmpty }: { src: string; isBusy: boolean; isEmpty: boolean }) {
  const t = useTranslations("profileForm");
  return (
    <span
      className={classNames(portraitStyles.portrait, styles.portrait)}
      aria-busy={isBusy || undefined}
      data-empty={isEmpty ? "" : undefined}
    >
      <Picture src={src} alt={t("yourPicture")} sizes={CARD_SIZES} width="600" height="600" />
    </span>
  );
}

function ProcessedAlready() {
  const t = useTranslations("profileForm");
  return (
    <p className="hint">
      <Icon name="glass" small /> {t("processedAlready")}
    </p>
  );
}

interface PreviewStatusProps {
  preview: PreviewState;
  shown: string;
  /** The original is on this device: no request is needed. */
  onShow: (shown: string) => void;
}

function PreviewStatus({ preview, shown, onShow }: PreviewStatusProps) {
  const t = useTranslations("profileForm");
  return (
    <>
      <div role="status" className={styles.status}>
        {preview.kind === "loading" && (
          <>
            <progress className="vh" aria-label={t("previewLoading")} />
            <span className="hint">{t("previewLoading")}</span>
          </>
        )}
        {preview.kind === "failed" && <span className="hint">{t("previewFailed")}</span>}
      </div>
      {preview.kind === "shown" && (
        <Segmented
          legend={t("view")}
          isLegendHidden
          name="shown_picture"
          choices={[
            ["processed", t("asOthersSee")],
            ["original", t("original")],
          ]}
          value={shown}
          onChange={onShow}
        />
      )}
      {preview.kind === "failed" && (
        <Button kind="ghost" small onClick={preview.retry}>
          {t("previewAgain")}
        </Button>
      )}
    </>
  );
}
