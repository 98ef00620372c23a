# Pig, with a die: who holds 100 points wins, and a 1 loses the points of the turn.
use strict;
use warnings;
use JSON::PP;

my $target = shift // 100;
my $json = JSON::PP->new->canonical;

sub position {
    my ($x, $o, $turn, $player, $rolling) = @_;    # rolling: the die is to be thrown
    my $over = $x >= $target || $o >= $target;
    my $enough = ($player eq 'X' ? $x : $o) + $turn >= $target;
    my @moves = $rolling || $over ? () : $enough ? 'hold' : $turn ? ('roll', 'hold') : 'roll';
    return {
        state   => [$x, $o, $turn, $player, $rolling],
        player  => $player,
        moves   => \@moves,
        chances => [$rolling ? map { [$_, 1] } 1 .. 6 : ()],
        over    => $over ? JSON::PP::true : JSON::PP::false,
        winner  => $over ? ($x >= $target ? 'X' : 'O') : undef,
        text    => "X $x  O $o  this turn $turn  of $target",
    };
}

sub answer {
    my ($kind, $state, $move) = @{ $_[0] };
    return { version => 1, %{ position(0, 0, 0, 'X', 0) } } if $kind eq 'start';
    return { error => "unknown question $kind" } if $kind ne 'play';
    my ($x, $o, $turn, $player, $rolling) = @$state;
    my $other = $player eq 'X' ? 'O' : 'X';
    return position($x, $o, 0, $other, 0) if $rolling && $move == 1;
    return position($x, $o, $turn + $move, $player, 0) if $rolling;
    return position($x, $o, $turn, $player, 1) if $move eq 'roll';
    return $player eq 'X' ? position($x + $turn, $o, 0, $other, 0) : position($x, $o + $turn, 0, $other, 0);
}

$| = 1;
while (my $line = <STDIN>) {
    print $json->encode([map { answer($_) } @{ $json->decode($line) }]), "\n";
}
