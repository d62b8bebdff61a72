import { expect } from "vitest";
import { exportData } from "@alcove/contract/accounts";
import { readZip } from "@alcove/test-services/zip";
import type { TestMember } from "./test-service.ts";

export const EXPORT_PATH = `/ja${exportData.path}`;

export async function unpackExport(response: Response) {
  expect(response.status).toBe(200);
  const files = await readZip(new Uint8Array(await response.arrayBuffer()));
  return { files, data: JSON.parse(files.get("data.json")!.toString()) as Record<string, unknown> };
}

export const exportOf = async (member: TestMember) => unpackExport(await member.fetch(EXPORT_PATH));
