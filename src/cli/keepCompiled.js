// Node.js keeps the compiled code of every module that is loaded after this one. The next process does not compile it
// again, so a start takes two thirds of the time. The sources are its key, so it is never stale. Without a writable
// folder nothing is kept. `NODE_COMPILE_CACHE` names another place, `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
// JavaScript: if all other modules of a process are kept, it does not load Node's TypeScript compiler, 15 MB.
import { constants, enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Beside the packages, so that it goes with them and only who may change the code may change what it was compiled to. */
const ofThisCopy = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url))

/** Where the copy is read-only. Never a folder of everybody: what lies here is run. */
const ofThisUser = () => join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "turma")

if (enableCompileCache(ofThisCopy).status === constants.compileCacheStatus.FAILED) enableCompileCache(ofThisUser())
