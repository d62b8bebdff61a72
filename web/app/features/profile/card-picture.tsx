import type { PublicUser } from "@alcove/contract/users";
import { CARD_SIZES, Picture } from "../../ui/picture.tsx";

/** The picture of a person on their card. */
export function CardPicture({ person }: { person: PublicUser }) {
  return (
    <Picture
      src={person.icon}
      alt={person.username}
      sizes={CARD_SIZES}
      width="600"
      height="600"
      draggable={false}
    />
  );
}
