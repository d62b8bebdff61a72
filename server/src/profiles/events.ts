export interface ProfilesDomainEvents {
  /** A member saved another filter. */
  filter_saved: { memberId: number };
  /** A member added files of pictures, also at the sign-up. */
  pictures_added: { memberId: number; mediaIds: readonly string[] };
  /** A member replaced or removed their clear icon. Earlier permissions to view it end. */
  clear_icon_changed: { memberId: number };
}
