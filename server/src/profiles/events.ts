export interface ProfilesDomainEvents {
  filter_saved: { memberId: number };
  /** Also emitted at the sign-up. */
  pictures_added: { memberId: number; mediaIds: readonly string[] };
  /** A clear icon was replaced or removed. Earlier permissions to view it end. */
  clear_icon_changed: { memberId: number };
}
