// Makes the console's files in a process of its own: at the installation, or at the first request for them.
import { makeConsole } from "../console/build/makeConsole.ts"
import { builtFolder } from "../console/build/place.ts"
import { makeSdkContract } from "./sdk/SdkContract.ts"

await makeSdkContract()
await makeConsole(process.argv[3] ?? builtFolder())
