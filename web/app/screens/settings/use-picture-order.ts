import { useState } from "react";
import { useTranslations } from "use-intl";
import { orderPictures } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { showError } from "../../lib/page/show-error.ts";
import { moved } from "./use-reorder.ts";

const isStored = (path: string) => !path.endsWith(".svg");

/** The member's pictures, and a function that moves one. The new order shows at once and is saved. */
export function usePictureOrder(user: User, onSaved: (user: User) => void) {
  const t = useTranslations("profileForm");
  /** The order until the server has saved it. */
  const [unsaved, setUnsaved] = useState<readonly string[] | null>(null);
  const [announced, setAnnounced] = useState("");
  const pictures = (unsaved ?? user.pictures).filter(isStored);

  const saveOrder = useAction(
    async (order: readonly string[]) => {
      onSaved((await api(orderPictures, { pictures: order.join() })).user);
      setUnsaved(null);
    },
    (error) => {
      setUnsaved(null);
      showError(error);
    },
  );

  /** Places count from 0. Returns false while the order before is being saved. */
  function move(from: number, to: number): boolean {
    if (saveOrder.isBusy) return false;
    const order = moved(pictures, from, to);
    setUnsaved(order);
    setAnnounced(t("pictureMoved", { place: String(to + 1), total: String(pictures.length) }));
    saveOrder.start(order);
    return true;
  }
  return { pictures, move, announced };
}
