// DTO classes whose decorators come from the light door, beside one from class-validator itself.
import { McpLayer, McpService, Tool } from 'cartouche';
import { Expose, IsEmail, IsInt, Type, ValidateNested } from 'cartouche/dto';
import { createTestClient } from 'cartouche/testing';
import { Max } from 'class-validator';

class Guest {
  @IsEmail()
  @Expose({ name: 'guest-email' })
  email!: string;
}

class Booking {
  @IsInt()
  @Max(9)
  seats!: number;

  @ValidateNested()
  @Type(() => Guest)
  guest!: Guest;
}

@McpService()
class Desk {
  @Tool({ capabilities: ['read_state'] })
  book({ seats, guest }: Booking): string {
    return `${seats} for ${guest.email}`;
  }
}

async function main(): Promise<void> {
  const layer = new McpLayer({ name: 'bundled', version: '1.0.0', services: [Desk] });
  const client = createTestClient(layer);
  const call = async (seats: number, email: string): Promise<unknown> =>
    client.call('book', { seats, guest: { 'guest-email': email } }).catch((error: unknown) => (error as Error).message);
  console.log(JSON.stringify({ booked: await call(2, 'a@example.com'), refused: await call(10, 'nobody') }));
  client.close();
}

void main();
