import { previewSignUpIcon } from "@alcove/contract/accounts";
import { useTranslations } from "use-intl";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { api } from "../../lib/api/api.ts";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { settings } from "../../lib/page/settings.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { type EmailProof, proofFields } from "./email-proof.ts";

const DEFAULT_ICON = `${settings.apiOrigin}/media/default-icon.svg`;

/** The picture of the new account as far as it is chosen. */
export interface ChosenPicture {
  /** Cropped. */
  readonly icon: File | null;
  choose(file: File): void;
  cancel(): void;
}

interface SignUpPictureProps {
  picture: ChosenPicture;
  proof: EmailProof;
  errors: ShownErrors;
}

export function SignUpPicture({ picture: { icon, choose, cancel }, proof, errors }: SignUpPictureProps) {
  const t = useTranslations("signUp");
  const tp = useTranslations("profileForm");
  return (
    <PictureField
      current={DEFAULT_ICON}
      icon={icon}
      onChoose={choose}
      onCancel={cancel}
      onPreview={(picture, signal) =>
        api(previewSignUpIcon, { ...proofFields(proof), icon: picture }, { signal })
      }
      hint={t("pictureRequired")}
      errors={errors}
    >
      <Switch name="keep_clear_icon" value="yes" hint={tp("keepClearHint")}>
        {tp("keepClear")}
      </Switch>
    </PictureField>
  );
}
