import { SAMPLE_PROFILE } from "@alcove/test-services/fixtures";
import type { ProfileForm } from "../profiles/index.ts";

export type ProfileOverrides = Partial<ProfileForm>;

export function sampleProfile(overrides: ProfileOverrides): ProfileForm {
  return {
    ...SAMPLE_PROFILE,
    purpose: null,
    hobby: null,
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
    search_min_range: null,
    search_max_range: null,
    search_min_age: null,
    search_max_age: null,
    ...overrides,
  };
}
