import type { Kind } from "./Kind.ts"

/** Files in which every sentence of this kind keeps the rules. The check fails for these alone, until it is all of them. */
export const clean: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  pages: [
    "README.md",
    "src/assistant/**",
    "src/commerce/**",
    "src/conversation/**",
    "src/guides/*.md",
    "src/learning/**",
    "src/membership/**",
    "src/webhooks/README.md",
    "src/webhooks/*/README.md",
    "test/tools/prose/README.md"
    "src/guides/*.md",
    "src/webhooks/README.md",
    "src/webhooks/*/README.md",
    "test/tools/prose/README.md",
    "deploy/*.md",
    "migrations/*.md",
    "packages/**/*.md",
    "src/cli/**/*.md",
    "src/identity/**/*.md",
    "src/operations/**/*.md",
    "src/platform/**/*.md",
    "src/sdk/*.md"
  ],
  api: ["openapi.json", "src/**"],
  messages: ["src/**"],
  comments: []
  messages: ["src/*.ts", "src/!(webhooks)/**", "src/webhooks/**/!(causes|grader)/*.ts", "src/webhooks/*.ts"],
  comments: [
    "src/assistant/**",
    "src/commerce/**",
    "src/conversation/**",
    "src/learning/**",
    "src/membership/**"
  messages: ["src/*.ts", "src/!(webhooks)/**", "src/webhooks/**/!(causes|grader)/*.ts", "src/webhooks/*.ts"],
  comments: [
    "src/*.ts",
    ".ci/*.ts",
    "packages/**",
    "src/cli/**",
    "src/identity/**",
    "src/operations/**",
    "src/platform/**",
    "src/sdk/**"
    "src/guides/*.md",
    "src/console/**/*.md",
    "src/events/README.md",
    "src/webhooks/README.md",
    "src/webhooks/*/README.md",
    "test/bench/README.md",
    "test/tools/prose/README.md"
  ],
  api: ["openapi.json", "src/**"],
  messages: ["src/*.ts", "src/!(webhooks)/**", "src/webhooks/**/!(causes|grader)/*.ts", "src/webhooks/*.ts"],
  comments: [
    "src/console/**",
    "src/events/**",
    "src/webhooks/**"
  ]
}
