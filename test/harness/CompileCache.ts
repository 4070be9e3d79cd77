import { fileURLToPath } from "node:url"

/**
 * Node.js keeps compiled code here for every process of the tests. Each loads some 1,800 modules, and without the cache
 * spends most of its start on compiling them. It holds nothing beyond the sources.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ??
    fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url))
}
