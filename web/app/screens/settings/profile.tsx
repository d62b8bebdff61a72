import { saveProfile } from "@alcove/contract/profiles";
import { actionResult, submitForm } from "../../lib/forms/submit-form.ts";
import type { Route } from "./+types/profile";
import { EditProfile, loadProfile } from "./edit-profile.tsx";

export async function clientLoader() {
  return loadProfile();
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return actionResult(await submitForm(saveProfile, await request.formData()));
}

export default function ProfileScreen({ loaderData }: Route.ComponentProps) {
  return <EditProfile loaded={loaderData} />;
}
