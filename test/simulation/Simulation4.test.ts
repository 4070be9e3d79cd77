import { simulateSeeds } from "./Seeds.ts"

simulateSeeds(151, 50)
