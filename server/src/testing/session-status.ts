import type { TestService } from "./test-service.ts";

export async function statusOf(
  service: TestService,
  access: string,
): Promise<{ status: number; code: string | undefined }> {
  const response = await service.fetch("/en/users/api/user", {
    headers: { authorization: `Bearer ${access}` },
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}
