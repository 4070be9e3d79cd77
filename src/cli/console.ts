// What a process runs for a moment that makes the console's files: in an installation, and for who asks for them first.
import { makeConsole } from "../console/build/makeConsole.ts"
import { builtFolder } from "../console/build/place.ts"
import { makeSdkContract } from "./sdk/SdkContract.ts"

await makeSdkContract()
await makeConsole(process.argv[3] ?? builtFolder())
