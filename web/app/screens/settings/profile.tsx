import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { EditProfile, loadProfile, submitProfile } from "./edit-profile.tsx";

export async function loader() {
  return loadProfile();
}

export async function action({ request }: ActionFunctionArgs) {
  return submitProfile(await readWithFiles(request));
}

export default function ProfileScreen() {
  const loaderData = useLoaderData<typeof loader>();
  return <EditProfile loaded={loaderData} />;
}
