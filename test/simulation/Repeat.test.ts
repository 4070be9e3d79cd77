import { repeatSeed } from "./Seeds.ts"

repeatSeed(1000)
