import { simulateSeeds } from "./Seeds.ts"

simulateSeeds(4)
