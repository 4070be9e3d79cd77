import { fileURLToPath } from "node:url"

/**
 * Where Node.js keeps what it has compiled, for every process of the tests: each loads some 1,800 modules, and without
 * it spends most of its start on compiling them anew. It holds nothing that the sources do not say.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ??
    fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url))
}
