import { defineConfig } from "vitest/config";

// One browser and one server at a time: what is tried here is one page, not how many there can be.
export default defineConfig({
  test: { include: ["e2e/**/*.test.ts"], environment: "node", fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000 },
});
