// Makes the files of the pages in a process of its own: at the installation, or at the first request for them.
import { makePages } from "../browser/build/makePages.ts"
import { builtFolder } from "../browser/build/place.ts"
import { makeSdkContract } from "./sdk/SdkContract.ts"

await makeSdkContract()
await makePages(process.argv[3] ?? builtFolder())
