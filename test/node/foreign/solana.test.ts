import { tellStories } from './stories.ts'

tellStories('SOLANA')
