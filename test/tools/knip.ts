/**
 * The files that the check of unused code reads. An entry runs by its path: npm, another program or a browser starts it.
 * Entries with `!` belong to the product: the run with `--production` reads these alone and finds what only tests use.
 */
export default ({ production }: { readonly production?: boolean }) => ({
  entry: [
    "src/main.ts!",
    "src/sdk/index.ts!",
    "src/cli/{bundle,sdk}/make.ts!",
    "src/{console,classroom}/app/start.ts!",
    "src/{classroom,console}/app/main.tsx!",
    "src/operations/documentation/browser/docs.js!",
    "src/assistant/material/documents/PdfThread.ts!",
    "packages/*.ts!",
    "packages/*/*.{ts,js}!",
    ".ci/*.ts",
    "test/**/*.test.ts",
    "test/quick.config.ts",
    "test/bench/twin/{main,classroom,hook}.ts",
    "test/bench/webhooks/{post,receiver,attempts,ceiling,bullmq,graphile}.ts",
    "test/cli/forwardedTo.ts",
    "test/guides/example.ts",
    "test/harness/{bundle,sdkContract,servers,allocations,hastySweeps,largeMaps,movedClock}.ts",
    "test/platform/sql/supervisedProcess.ts",
    "test/tools/prose/judge.ts"
  ],
  project: ["src/**/*.{ts,tsx,js}!", "packages/**/*.{ts,js}!", "test/**/*.ts", ".ci/*.ts"],
  // A test may import what the product uses in the same file: a bound, or a rule of a larger function.
  ignoreExportsUsedInFile: production === true,
  ignoreIssues: {
    // The declarations of turma-client name CommentEncoded, a type that holds itself.
    "src/conversation/comments/Comment.ts": ["types"]
  }
})
