export interface ProfilesDomainEvents {
  /** A member saved another filter. */
  filter_saved: { memberId: number };
  /** A member replaced or removed their clear icon. Earlier permissions to view it end. */
  clear_icon_changed: { memberId: number };
}
