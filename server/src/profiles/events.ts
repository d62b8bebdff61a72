export interface ProfilesDomainEvents {
  filter_saved: { memberId: number };
  /** Also emitted at the sign-up. */
  pictures_added: { memberId: number; mediaIds: readonly string[] };
  /** Earlier permissions to view the clear icon end. */
  clear_icon_changed: { memberId: number };
}
