// Lets Node.js keep what it has compiled of every module that is loaded after this one, so that the next process does not
// compile it again: a start takes two thirds of the time. Keyed by the sources, it is never stale, and without a folder to
// write to it is not kept. `NODE_COMPILE_CACHE` names another place, `NODE_DISABLE_COMPILE_CACHE=1` none.
//
// JavaScript, so that a process whose other modules are all kept does not load Node's TypeScript compiler: 15 MB.
import { constants, enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Beside the packages, so that it goes with them and only who may change the code may change what it was compiled to. */
const ofThisCopy = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url))

/** Where the copy is read-only. Never a folder of everybody: what lies here is run. */
const ofThisUser = () => join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "turma")

if (enableCompileCache(ofThisCopy).status === constants.compileCacheStatus.FAILED) enableCompileCache(ofThisUser())
