import { useState } from "react";
import type { PublicUser } from "@alcove/contract/users";
import { sessionStore } from "../../lib/session/session.ts";

/** The member whose card was put off in this page. */
let putOff: string | null = null;

/**
 * Whether the first card waits behind its niche: until it is opened, if it came at a chosen hour, and after "Later".
 *
 * @param cameAt the chosen hour at which the card came; absent for other cards
 */
export function useNiche(person: Pick<PublicUser, "user_id"> | undefined, cameAt: string | undefined) {
  const [openedAt, setOpenedAt] = useState(() => sessionStore().get("card"));
  const [putOffId, setPutOffId] = useState(putOff);
  const [last, setLast] = useState<"opened" | "closed" | null>(null);
  const isUnseen = openedAt !== cameAt;
  const isUnopened = cameAt !== undefined && isUnseen;
  const isPutOff = person !== undefined && putOffId === person.user_id;

  function setPutOff(userId: string | null) {
    putOff = userId;
    setPutOffId(userId);
  }

  return {
    isClosed: person !== undefined && (isUnopened || isPutOff),
    isUnopened,
    /** Not opened, or a card without an hour. */
    isUnseen,
    /** The last act, which the focus follows. */
    last,
    open() {
      if (cameAt !== undefined) {
        sessionStore().set("card", cameAt);
        setOpenedAt(cameAt);
      }
      setPutOff(null);
      setLast("opened");
    },
    close() {
      setPutOff(person?.user_id ?? null);
      setLast("closed");
    },
  };
}
