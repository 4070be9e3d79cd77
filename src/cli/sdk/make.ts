// npm run sdk:types, and the beginning of checks, tests and packing: what turma-sdk has of the contract, which is in no commit.
import { makeSdkContract } from "./SdkContract.ts"

await makeSdkContract()
